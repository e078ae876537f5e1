// Only headers keep a page out of another site's frame, and a static host may send none. Then the page stays blank: what
// cannot be seen cannot be clicked on somebody else's behalf.
if (window.top !== window.self) {
  document.documentElement.style.setProperty("display", "none", "important");
  window.stop();
}
