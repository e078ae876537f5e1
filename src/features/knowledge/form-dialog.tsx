import type { ReactNode } from "react";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";

/** A dialog that is filled in and sent, by the button or by Enter. `onSubmit` gets the form, to lead to what is wrong. */
export function FormDialog(props: {
  title: string;
  description: string;
  size?: "lg";
  /** What the button that sends it says. */
  submit: string;
  /** It is being sent. */
  busy?: boolean;
  onSubmit: (form: HTMLFormElement) => void;
  onClose: () => void;
  children: ReactNode;
}) {
  const { title, description, size, submit, busy, onSubmit, onClose, children } = props;
  return (
    <Dialog
      open
      modalOnly
      {...(size === undefined ? {} : { size })}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      description={description}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          // The page below may be a form as well.
          event.stopPropagation();
          onSubmit(event.currentTarget);
        }}
      >
        {children}
        <div className="flex justify-end gap-2 pt-1 max-sm:[&>button]:flex-1">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
