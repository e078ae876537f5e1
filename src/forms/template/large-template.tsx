import { type ReactNode, useId, useState } from "react";
import type { FieldDescription } from "../../engine/config/describe-fields.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import type { FieldControlProps } from "../../ui/fields/field.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";

/** A button that opens a field of several lines in a window of its own, where a long prompt can be read. */
export function LargeTemplate({
  field,
  label,
  children,
}: {
  field: FieldDescription;
  label: string;
  /** The field once more; edits are made as in the small one. */
  children: (control: FieldControlProps) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const control = { id, "aria-describedby": undefined, "aria-invalid": undefined, "aria-required": undefined };
  return (
    <>
      <IconButton size="sm" icon="maximize" label={`Open ${label} larger`} onClick={() => setOpen(true)} />
      <Dialog
        open={open}
        live
        onOpenChange={setOpen}
        size="lg"
        title={label}
        description={field.help === "" ? undefined : field.help}
        footer={
          <Button variant="primary" onClick={() => setOpen(false)}>
            Done
          </Button>
        }
      >
        {children(control)}
      </Dialog>
    </>
  );
}
