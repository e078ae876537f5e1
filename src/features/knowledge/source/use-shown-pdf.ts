import { useEffect, useState } from "react";
import { useServices } from "../../../services/services-context.tsx";
import type { ShownPdf } from "../../../services/shown-pdf.ts";

type Opened = { status: "opening" } | { status: "open"; pdf: ShownPdf } | { status: "failed"; error: Error };

/** A PDF of the account that is open as long as the component is there; `fileId` stays the same. */
export function useShownPdf(fileId: string): Opened {
  const { files, showPdf } = useServices();
  const [opened, setOpened] = useState<Opened>({ status: "opening" });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let pdf: ShownPdf | undefined;
    const open = async () => {
      const blob = await files.open(fileId, signal);
      const bytes = new Uint8Array(await blob.arrayBuffer());
      if (signal.aborted) return;
      pdf = await showPdf(bytes);
      if (signal.aborted) pdf.close();
      else setOpened({ status: "open", pdf });
    };
    open().catch((error: unknown) => {
      if (!signal.aborted)
        setOpened({ status: "failed", error: error instanceof Error ? error : new Error(String(error)) });
    });
    return () => {
      controller.abort();
      pdf?.close();
    };
  }, [files, showPdf, fileId]);
  return opened;
}
