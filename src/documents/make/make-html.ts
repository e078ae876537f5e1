import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** A page of HTML from Markdown. HTML in the Markdown is shown as text, and addresses that would run something are left out. */
export function makeHtml(markdown: string, title: string): string {
  const body = micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse } th, td { border: 1px solid #ccc; padding: 0.25rem 0.5rem; text-align: left }
pre { overflow-x: auto } img { max-width: 100% }
</style>
</head>
<body>
${body}
</body>
</html>
`;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
