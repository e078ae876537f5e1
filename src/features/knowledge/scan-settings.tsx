import { useQuery } from "@tanstack/react-query";
import { useServices } from "../../services/services-context.tsx";

/** In which languages scans and photos are read here, and how others are installed. */
export function ScanSettings() {
  const services = useServices();
  const installed = useQuery({ queryKey: ["scan-languages"], queryFn: () => services.scanLanguages() });
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
        To add languages, enter <code className="font-mono text-xs">npm run ocr -- install english german</code> in the
        studio's folder. You can install English, German, French, Spanish and Chinese.
      </p>
    </section>
  );
}
