import { useState } from "react";
import { useServices } from "../../../services/services-context.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { FilePicker } from "../../../ui/fields/file-picker.tsx";
import { tellLeftFiles } from "../../../ui/files/tell-left-files.ts";
import { takeText } from "../../../ui/text/take-text.ts";
import { showError, showToast } from "../../../ui/feedback/toast.tsx";
import { saveFile } from "../save-file.ts";
import { writeEverything } from "./everything-file.ts";
import { gatherEverything } from "./gather-everything.ts";
import { lazyPart } from "../../../ui/feedback/lazy-part.tsx";
import { DialogOnItsWay } from "../../../ui/feedback/on-its-way.tsx";

const ImportEverythingDialog = lazyPart(
  async () => (await import("./import-everything-dialog.tsx")).ImportEverythingDialog,
  DialogOnItsWay,
);

/** All work as one file, and back. */
export function EverythingSection() {
  const services = useServices();
  const [progress, setProgress] = useState<string | null>(null);
  const [text, setText] = useState<string | null>(null);

  async function exportAll() {
    setProgress("Exporting…");
    try {
      const { gathered, left } = await gatherEverything(services, (done, all) =>
        setProgress(`Exporting ${done} of ${all}…`),
      );
      const { text: written, cleaned } = writeEverything(gathered);
      saveFile(`switchyard-${gathered.exportedAt.slice(0, 10)}.json`, written);
      if (cleaned > 0) {
        const which = cleaned === 1 ? "one workflow" : `${cleaned} workflows`;
        const hint = "Keep secrets in a credential instead of typing them into a field.";
        showToast(`Left out what looks like a secret in ${which}.`, { hint, durationMs: 20_000 }, "warning");
      }
      tellLeftFiles(left);
    } catch (error) {
      showError(error);
    } finally {
      setProgress(null);
    }
  }

  return (
    <>
      <p className="text-muted">
        The file holds your workflows, test suites with their cases and their files, the names and settings of knowledge
        collections, and how long you keep runs and conversations. It does not hold credentials, documents of
        collections, runs, conversations, published versions or API keys.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button icon="download" busy={progress !== null} onClick={() => void exportAll()}>
          {progress ?? "Export all work"}
        </Button>
        <FilePicker
          label="File with all your work"
          accept=".json,application/json"
          trigger={<Button icon="upload">Import all work</Button>}
          onFiles={([file]) => void takeText(file, setText)}
        />
      </div>
      {text !== null && <ImportEverythingDialog text={text} onClose={() => setText(null)} />}
    </>
  );
}
