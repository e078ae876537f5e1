/** A colour of the page in its light form, which a file shows everywhere. */
function lightColour(name: string): string {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  return /^light-dark\(\s*([^,]+),/.exec(value)?.[1]?.trim() ?? value;
}

/**
 * A drawn graph as an SVG file of its own: shapes and texts alone, with the colours of the page written out. Everything in it was
 * drawn here, so that it holds no script, link or image.
 */
export function pictureText(drawn: SVGSVGElement): string {
  const copy = drawn.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return "";
  copy.removeAttribute("class");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "Inter, system-ui, sans-serif");
  const box = drawn.viewBox.baseVal;
  copy.setAttribute("width", String(Math.round(box.width)));
  copy.setAttribute("height", String(Math.round(box.height)));
  const text = new XMLSerializer().serializeToString(copy);
  return text
    .replaceAll(/color-mix\(in oklab, (var\([^)]+\)) [^)]*\)/g, "$1")
    .replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => lightColour(name));
}
