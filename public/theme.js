// Before the first paint, so that a chosen theme does not flash. The app itself takes over from here.
try {
  const theme = localStorage.getItem("switchyard:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the system's theme holds.
}
