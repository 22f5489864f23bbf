// Calls back once, when the element is about to be seen.
export function whenVisible(element: Element, callback: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      callback();
    },
    { rootMargin: "200px" },
  );
  observer.observe(element);
}

// Whether an element is on the screen: what moves every picture asks first. `appeared` is called when it comes.
export function trackVisible(element: Element, appeared: () => void): () => boolean {
  let visible = false;
  new IntersectionObserver((entries) => {
    visible = entries[entries.length - 1]!.isIntersecting;
    if (visible) appeared();
  }).observe(element);
  return () => visible;
}
