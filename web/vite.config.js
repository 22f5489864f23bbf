import { defineConfig } from "vite";

// Puts scripts and styles into the page itself, so that it is one file which opens from disk.
function oneFile() {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["viewer.html"];
      for (const [name, part] of Object.entries(bundle)) {
        if (name.endsWith(".js")) {
          const code = part.code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
          page.source = replaceOnce(page.source, new RegExp(`<script [^>]*src="[^"]*${name}"></script>`), "");
          page.source = replaceOnce(page.source, "</body>", `<script type="module">${code}</script>\n</body>`);
          delete bundle[name];
        } else if (name.endsWith(".css")) {
          const link = new RegExp(`<link [^>]*href="[^"]*${name}">`);
          page.source = replaceOnce(page.source, link, `<style>${part.source}</style>`);
          delete bundle[name];
        }
      }
    },
  };
}

function replaceOnce(text, pattern, by) {
  const changed = text.replace(pattern, () => by);
  if (changed === text) throw new Error(`the page has no ${pattern}`);
  return changed;
}

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 1e9,
    chunkSizeWarningLimit: 900,
    rollupOptions: { input: "viewer.html" },
  },
  plugins: [oneFile()],
});
