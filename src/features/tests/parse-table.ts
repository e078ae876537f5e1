/** The cells of a table as text: CSV, or what a spreadsheet puts into the clipboard, whose cells are divided by tabs. */
export async function parseTable(text: string, delimiter: "," | "\t" | "" = ""): Promise<string[][]> {
  const { default: Papa } = await import("papaparse");
  return Papa.parse<string[]>(text.replace(/^\uFEFF/, ""), { delimiter }).data;
}
