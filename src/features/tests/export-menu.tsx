import { toCsv } from "../../engine/evaluation/result/csv.ts";
import type { Evaluation } from "../../engine/evaluation/result/evaluation.ts";
import { toJUnit } from "../../engine/evaluation/result/junit.ts";
import { Button } from "../../ui/button.tsx";
import { downloadText } from "../../ui/download-json.ts";
import { Menu } from "../../ui/menu.tsx";

/** A result as a file. */
export function ExportMenu({ evaluation }: { evaluation: Evaluation }) {
  const name = evaluation.suite.replace(/[^\w-]+/g, "-").toLowerCase() || "result";
  const save = (extension: string, type: string, text: string) => downloadText(`${name}.${extension}`, type, text);
  return (
    <Menu
      trigger={
        <Button size="sm" icon="download">
          Export
        </Button>
      }
      items={[
        {
          label: "JSON",
          onSelect: () => save("result.json", "application/json", JSON.stringify(evaluation, null, 2)),
        },
        { label: "CSV, one trial a line", onSelect: () => save("csv", "text/csv", toCsv(evaluation)) },
        { label: "JUnit XML", onSelect: () => save("xml", "application/xml", toJUnit(evaluation)) },
      ]}
    />
  );
}
