import { IconButton } from "../buttons/icon-button.tsx";

interface SendButtonProps {
  /** The message was sent and waits for its files: the button takes it back. */
  isWaiting: boolean;
  disabled: boolean;
  shortcut?: string;
  className?: string;
}

export function SendButton({ isWaiting, disabled, shortcut, className }: SendButtonProps) {
  return (
    <IconButton
      type="submit"
      icon={isWaiting ? "x" : "send"}
      label={isWaiting ? "Cancel sending" : "Send"}
      {...(isWaiting ? {} : { shortcut })}
      variant={isWaiting ? "secondary" : "primary"}
      tooltipSide="top"
      className={className}
      disabled={disabled}
    />
  );
}
