/** A choice as people read it: `once` → "Once", `max_rounds` → "Max rounds"; names in capitals such as POST stay. */
export function optionLabel(option: string): string {
  if (option === "json") return "JSON";
  if (option === "" || /^[^a-z]+$/.test(option)) return option;
  const words = option.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}
