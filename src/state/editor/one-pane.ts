/** Whether only one pane fits, as on a phone: the canvas then takes the place of the run panel. */
export function isOnePane(): boolean {
  return typeof matchMedia === "function" && matchMedia("(max-width: 639px)").matches;
}
