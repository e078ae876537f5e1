/** What to do where a part of the site's code cannot be loaded. */
export const missingCodeHint =
  "You may be offline, or Switchyard was updated. If trying again does not help, reload the page.";
