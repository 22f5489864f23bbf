import type { Clock } from "./clock";
import { presets, type Preset } from "./view/camera";

export interface Actions {
  clock: Clock;
  step(frames: number): void;
  goTo(preset: Preset): void;
  zoom(factor: number): void;
  toggleTheme(): void;
  print(): void;
  help(): void;
}

// Until `signal` ends it.
export function listenToKeys(actions: Actions, signal: AbortSignal): void {
  const listener = (event: KeyboardEvent) => {
    if (isPrint(event)) {
      event.preventDefault();
      actions.print();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    if (target.closest("select, textarea, pre, dialog, input:not([type=range])")) return;
    // A focused button is pressed by the space bar itself.
    if (event.key === " " && target.closest("button, summary, input")?.matches("button, summary")) return;
    if (act(event, actions)) event.preventDefault();
  };
  addEventListener("keydown", listener, { signal });
}

function isPrint(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "p";
}

function act(event: KeyboardEvent, actions: Actions): boolean {
  const { clock } = actions;
  const frames = event.shiftKey ? 10 : 1;
  const preset = presets[Number(event.key) - 1];
  if (event.key === " ") clock.toggle();
  else if (event.key === "ArrowLeft") actions.step(-frames);
  else if (event.key === "ArrowRight") actions.step(frames);
  else if (event.key === "Home") clock.set(0);
  else if (event.key === "End") clock.set(clock.duration);
  else if (event.key === "+" || event.key === "=") actions.zoom(0.5);
  else if (event.key === "-") actions.zoom(2);
  else if (event.key === "t" || event.key === "T") actions.toggleTheme();
  else if (event.key === "?") actions.help();
  else if (preset) actions.goTo(preset);
  else return false;
  return true;
}
