import type { ComponentProps } from "react";
import { Button } from "../buttons/button.tsx";

/** A dialog's usual footer: Cancel, and the button that does what the dialog is for. */
export function DialogActions({ onCancel, ...action }: ComponentProps<typeof Button> & { onCancel: () => void }) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button variant="primary" {...action} />
    </>
  );
}
