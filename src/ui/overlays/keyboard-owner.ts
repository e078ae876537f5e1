/** Whether a floating dialog or a menu has the keyboard. */
export function isElsewhere(): boolean {
  return document.querySelector("[role=dialog], [role=menu], [cmdk-root]") !== null;
}

/** Whether a dialog covers the page. The browser closes it on Escape, unless something here takes the key. */
export function isCovered(): boolean {
  return document.querySelector("dialog[open]") !== null;
}
