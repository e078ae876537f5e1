import { mostChars } from "./workspace-call.ts";

/** As many rows as one result holds besides what else is in it, at least one where there are any. */
export function fittingRows<Row>(rows: readonly Row[], charsBeside = 0): Row[] {
  let chars = charsBeside;
  const end = rows.findIndex((row, index) => (chars += JSON.stringify(row).length) > mostChars && index > 0);
  return end === -1 ? [...rows] : rows.slice(0, end);
}
