import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build, type Plugin, runnerImport } from "vite";

const projectRoot = fileURLToPath(new URL("..", import.meta.url));

/**
 * Puts the sign-in page into `index.html`, as markup with the few styles that it needs, so that a visitor sees it before any
 * script has arrived. The site's own styles follow at the end of the page, where they hold up the script but not the paint.
 */
export function signInShell(): Plugin {
  return {
    name: "sign-in-shell",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      async handler(html) {
        const [styles, markup] = await Promise.all([firstStyles(), firstMarkup()]);
        const links: string[] = [];
        const withoutLinks = html.replace(/\s*<link rel="stylesheet"[^>]*>/g, (link) => {
          links.push(link.trim().replace("<link", '<link fetchpriority="low"'));
          return "";
        });
        return (
          withoutLinks
            // Behind the first paint, which needs neither.
            .replace(/<script type="module"/, '$& fetchpriority="low"')
            .replace("</title>", () => `</title>\n    <style>${styles}</style>`)
            .replace('<div id="root"></div>', (root) => `${markup}\n    ${root}\n    ${links.join("\n    ")}`)
        );
      },
    },
  };
}

async function firstMarkup(): Promise<string> {
  const { module } = await runnerImport<{ markup: string }>(`${projectRoot}src/app/shell/render-shell.tsx`, {
    configFile: false,
    root: projectRoot,
    logLevel: "warn",
    plugins: [react()],
  });
  return module.markup;
}

async function firstStyles(): Promise<string> {
  const built = await build({
    configFile: false,
    root: projectRoot,
    logLevel: "warn",
    publicDir: false,
    plugins: [tailwindcss()],
    build: { target: "es2023", write: false, rolldownOptions: { input: `${projectRoot}src/app/shell/shell.css` } },
  });
  const files = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
  const styles = files.find(({ fileName }) => fileName.endsWith(".css"));
  if (styles?.type !== "asset") throw new Error("The styles of the first paint were not built.");
  return String(styles.source).trim();
}
