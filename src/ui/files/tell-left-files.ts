import { visibleName } from "../../engine/text/visible-name.ts";
import { showToast } from "../feedback/toast-store.ts";

/** Says which files of test cases an export leaves out; nothing for none. */
export function tellLeftFiles(left: ReadonlySet<string>): void {
  if (left.size === 0) return;
  const few = [...left].slice(0, 5).map((name) => `“${visibleName(name)}”`);
  const hint = `They were deleted, or are more than the 40 MB that one export holds: ${few.join(", ")}${left.size > 5 ? ", …" : ""}`;
  const what = left.size === 1 ? "a file" : `${left.size} files`;
  showToast(`Left out ${what} of test cases.`, { hint, durationMs: 20_000 }, "warning");
}
