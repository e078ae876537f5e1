import { toCsv } from "../../evaluation/result/csv.ts";
import type { Evaluation } from "../../evaluation/result/evaluation.ts";
import { toJUnit } from "../../evaluation/result/junit.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { downloadText } from "../../ui/data/download-json.ts";
import { Menu } from "../../ui/overlays/menu.tsx";

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
