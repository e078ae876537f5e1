import { useQuery } from "@tanstack/react-query";
import { installCommand, installedScans } from "../../state/knowledge/installed-scans.ts";

/** In which languages scans and photos are read here, and how others are installed. */
export function ScanSettings() {
  const installed = useQuery({ queryKey: ["scan-languages"], queryFn: installedScans });
  const names = (installed.data ?? []).join(", ");
  return (
    <section aria-label="Scans and photos" className="flex flex-col gap-2">
      <h2 className="text-base font-semibold">Scans and photos</h2>
      {installed.data !== undefined && (
        <p className="text-muted">
          {names === ""
            ? "Text recognition is not installed, so only documents with text can be read."
            : `Text is recognized in ${names}.`}
        </p>
      )}
      <p className="text-muted">
        To add languages, enter <code className="font-mono text-xs">{installCommand}</code> in the studio's folder.
        There are english, german, french, spanish and chinese.
      </p>
    </section>
  );
}
