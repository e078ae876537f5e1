import type { Frame, Page } from "@playwright/test";

/** A right-to-left override: what follows it is shown backwards, as far as it reaches. */
export const override = "\u202e";

/** A name from outside: of a workflow, a node, a file, a credential. */
export const hostileName = `<img src=x onerror=window.owned=1>"'><svg onload=window.owned=1> ${override}gnp.exe`;

const encoded = btoa("<script>window.owned=1</script>");

/** Ways to run something, to fetch something or to change the page by a text that is shown. */
const payloads = [
  "<img src=x onerror=window.owned=1>",
  "<svg onload=window.owned=1><animate onbegin=window.owned=1 attributeName=x dur=1s></svg>",
  '<math><maction actiontype="statusline" xlink:href="javascript:window.owned=1">click</maction></math>',
  '<iframe srcdoc="<script>parent.owned=1</script>"></iframe>',
  '"><script>window.owned=1</script>',
  "</script></textarea></title><script>window.owned=1</script>",
  "<!--><img src=x onerror=window.owned=1>-->",
  "<style>*{background:url(https://hostile.test/style)}</style>",
  '<link rel="stylesheet" href="https://hostile.test/link"><base href="https://hostile.test/">',
  '<form id="documentElement" name="cookie"><input name="body"></form><a id="switchyard-config" name="defaultView">x</a>',
  '<meta http-equiv="refresh" content="0;url=https://hostile.test/meta">',
  "[script link](javascript:window.owned=1)",
  "[tabbed link](java\tscript:window.owned=1)",
  `[data link](data:text/html;base64,${encoded})`,
  "[entity link](&#106;avascript:window.owned=1)",
  "[vbscript link](vbscript:window.owned=1)",
  "![drawn](data:image/svg+xml,<svg/onload=window.owned=1>)",
  "![fetched](https://hostile.test/picture.png)",
  '![quoted](x"onerror="window.owned=1)',
  "<javascript:window.owned=1>",
  "[reference]\n\n[reference]: javascript:window.owned=1",
  "Footnote[^__proto__] and [^constructor]\n\n[^__proto__]: polluted\n\n[^constructor]: polluted",
  "{{constructor.constructor('window.owned=1')()}} ${window.owned=1}",
  `the file ${override}gnp.exe is attached`,
];

export const hostileText = payloads.join("\n\n");

/** What of a page's content is not inert, and where a text turns what stands beside it; nothing is to be found. */
export function findHarm(page: Page | Frame): Promise<string[]> {
  return page.evaluate((mark) => {
    const found: string[] = [];
    if ("owned" in window) found.push("a script has run");
    if ("polluted" in {}) found.push("the prototype is changed");
    if (document.defaultView !== window || !(document.body instanceof HTMLElement))
      found.push("the document is clobbered");
    for (const element of document.querySelectorAll("*")) {
      const name = element.localName;
      const text = element.textContent ?? "";
      if (["base", "object", "embed", "math", "maction", "animate", "form-associated"].includes(name))
        found.push(`<${name}>`);
      if (
        ["script", "style", "iframe", "link", "meta", "title"].includes(name) &&
        /owned|hostile/.test(element.outerHTML)
      ) {
        if (name !== "title" && !/id="(shared-run|switchyard-config)"/.test(element.outerHTML))
          found.push(`<${name}> of the text`);
      }
      for (const { name: attribute, value } of element.attributes) {
        if (/^on/i.test(attribute)) found.push(`<${name} ${attribute}>`);
        if (!/^(?:href|src|action|formaction|xlink:href|data|poster|srcdoc|style|background)$/i.test(attribute))
          continue;
        const plain = value.replace(/[\s\0]/g, "");
        if (/^(?:javascript|vbscript|data:text|data:image\/svg)/i.test(plain))
          found.push(`<${name} ${attribute}="${plain.slice(0, 40)}">`);
        if (/hostile\.test/.test(plain) && name !== "a") found.push(`<${name} ${attribute}="${plain.slice(0, 40)}">`);
        if (attribute === "src" && plain === "x") found.push(`<${name} src=x>`);
      }
      if (["script", "style", "textarea"].includes(name) || text === "") continue;
    }
    // A turned text has to end with its own element.
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      if (!node.nodeValue?.includes(mark)) continue;
      let element = node.parentElement;
      // What only screen readers are given is not turned around for anybody.
      const unseen = "script, style, textarea, [contenteditable], .sr-only";
      if (element === null || element.closest(unseen) !== null) continue;
      let alone = true;
      for (;;) {
        const { display, unicodeBidi } = getComputedStyle(element);
        alone &&= element.textContent?.trim() === node.nodeValue.trim();
        if (/isolate|plaintext/.test(unicodeBidi) && alone) break;
        if (!/^(?:inline|contents)$/.test(display)) {
          if (!alone) found.push(`“${(element.textContent ?? "").slice(0, 90)}” is turned around`);
          break;
        }
        if (element.parentElement === null) break;
        element = element.parentElement;
      }
    }
    return [...new Set(found)];
  }, override);
}
