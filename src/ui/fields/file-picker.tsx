import { cloneElement, type ReactElement, useState } from "react";

interface FilePickerProps {
  /** Spoken name of the field. */
  label: string;
  /** The button that opens the browser's choice of files; its looks are those of any other button. */
  trigger: ReactElement<{ onClick?: () => void }>;
  accept?: string;
  multiple?: boolean;
  /** Whole folders are chosen. */
  folder?: boolean;
  /** Not called when nothing was chosen. */
  onFiles: (files: File[]) => void;
}

/** The one way to choose files: a button of ours before the browser's own field, which looks different everywhere. */
export function FilePicker({ label, trigger, accept, multiple = false, folder = false, onFiles }: FilePickerProps) {
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  return (
    <>
      {cloneElement(trigger, { onClick: () => input?.click() })}
      <input
        ref={setInput}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple || folder}
        {...(folder ? { webkitdirectory: "" } : {})}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // The same file can be chosen again.
          currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
