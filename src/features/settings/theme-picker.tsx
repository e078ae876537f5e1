import { classNames } from "../../ui/theme/class-names.ts";
import { Icon, type IconName } from "../../ui/icons/icon.tsx";
import { setTheme, type Theme, themes, useTheme } from "../../ui/theme/theme.ts";

const looks: Record<Theme, { label: string; icon: IconName }> = {
  system: { label: "System", icon: "monitor" },
  light: { label: "Light", icon: "sun" },
  dark: { label: "Dark", icon: "moon" },
};

/** Light, dark, or what the system says. */
export function ThemePicker() {
  const chosen = useTheme();
  return (
    <div role="radiogroup" aria-label="Theme" className="grid grid-cols-3 gap-2 sm:max-w-96">
      {themes.map((theme) => (
        <label
          key={theme}
          className={classNames(
            "flex h-9 cursor-pointer items-center justify-center gap-2 rounded-md border font-medium",
            "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-select",
            theme === chosen ? "border-accent bg-accent-soft text-accent" : "border-line-strong hover:bg-hover",
          )}
        >
          <input
            type="radio"
            name="theme"
            value={theme}
            checked={theme === chosen}
            className="sr-only"
            onChange={() => setTheme(theme)}
          />
          <Icon name={looks[theme].icon} />
          {looks[theme].label}
        </label>
      ))}
    </div>
  );
}
