import { cloneElement, type ComponentProps, isValidElement } from "react";
import { classNames } from "../theme/class-names.ts";
import { Icon, type IconName } from "../icons/icon.tsx";
import { Spinner } from "../feedback/spinner.tsx";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md";

const variants: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent hover:not-disabled:not-aria-disabled:bg-accent-hover",
  secondary:
    "border border-line-strong bg-surface text-ink hover:not-disabled:not-aria-disabled:bg-hover active:not-disabled:not-aria-disabled:bg-pressed aria-expanded:bg-hover",
  ghost:
    "text-ink hover:not-disabled:not-aria-disabled:bg-hover active:not-disabled:not-aria-disabled:bg-pressed aria-expanded:bg-hover",
  danger: "bg-danger text-on-danger hover:not-disabled:not-aria-disabled:bg-danger-hover",
};

const sizes: Record<ButtonSize, string> = { sm: "h-7 px-2 gap-1.5", md: "h-8 px-3 gap-2" };

/** The looks of a button as a class, for links that look like one. */
export function buttonClass(variant: ButtonVariant = "secondary", size: ButtonSize = "md"): string {
  return classNames(
    "inline-flex shrink-0 items-center justify-center rounded-md text-sm font-medium whitespace-nowrap transition-colors duration-100",
    "disabled:opacity-50 aria-disabled:opacity-50",
    variants[variant],
    sizes[size],
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: IconName;
  /** Shows a spinner in place of the icon and refuses clicks, but keeps the focus, which a disabled button would lose. */
  busy?: boolean;
  /** Gives the looks to the single child, such as a link. */
  asChild?: boolean;
}

/** The plain button: 28 or 32 px high. One primary per view. */
export function Button({
  variant = "secondary",
  size = "md",
  icon,
  busy = false,
  asChild = false,
  className,
  disabled,
  children,
  type = "button",
  onClick,
  ...rest
}: ButtonProps) {
  const looks = classNames(buttonClass(variant, size), className);
  if (asChild && isValidElement<{ className?: string }>(children)) {
    return cloneElement<ComponentProps<"button">>(children, { ...rest, ...(onClick && { onClick }), className: looks });
  }
  return (
    <button
      type={type}
      className={looks}
      disabled={disabled === true && !busy}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      // Enter in a field of the form clicks here, too.
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? <Spinner now /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}
