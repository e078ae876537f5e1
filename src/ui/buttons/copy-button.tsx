import { useEffect, useState } from "react";
import { IconButton } from "./icon-button.tsx";
import { showToast } from "../feedback/toast.tsx";

/** Copies a text that is made only when it is asked for, and says so for a moment. */
export function CopyButton({ text, label = "Copy" }: { text: () => string; label?: string }) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied(true);
    } catch {
      const hint = "The browser did not allow it. Select the text and copy it by hand.";
      showToast("Nothing was copied.", { hint }, "warning");
    }
  };

  return <IconButton size="sm" icon={copied ? "check" : "copy"} label={copied ? "Copied" : label} onClick={copy} />;
}
