import type { ComponentProps } from "react";
import type { ButtonSize, ButtonVariant } from "./button.tsx";
import { buttonClass } from "./button.tsx";
import { classNames } from "../theme/class-names.ts";
import { Icon, type IconName } from "../icons/icon.tsx";
import { Tooltip } from "../overlays/tooltip.tsx";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children" | "aria-label"> {
  icon: IconName;
  /** Read aloud, and shown as the tooltip. */
  label: string;
  /** Written `mod+z`; shown in the tooltip. */
  shortcut?: string;
  size?: ButtonSize;
  variant?: ButtonVariant;
  /** For toggles: whether it is on. */
  pressed?: boolean;
  tooltipSide?: "top" | "right" | "bottom" | "left";
}

const squares: Record<ButtonSize, string> = { sm: "w-7 px-0!", md: "w-8 px-0!" };

/** A square button with an icon, a spoken label and a tooltip. */
export function IconButton({
  icon,
  label,
  shortcut,
  size = "md",
  variant = "ghost",
  pressed,
  tooltipSide = "bottom",
  className,
  type = "button",
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip content={label} shortcut={shortcut} side={tooltipSide}>
      <button
        type={type}
        aria-label={label}
        aria-pressed={pressed}
        className={classNames(
          buttonClass(variant, size),
          squares[size],
          variant === "ghost" && "text-muted hover:not-disabled:text-ink",
          "aria-pressed:bg-accent-soft aria-pressed:text-accent",
          className,
        )}
        {...rest}
      >
        <Icon name={icon} />
      </button>
    </Tooltip>
  );
}
