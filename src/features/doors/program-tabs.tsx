import { useState } from "react";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../ui/layout/tabs.tsx";

/** Text for another program, to be copied. */
export interface Snippet {
  value: string;
  title: string;
  text: string;
}

interface ProgramTabsProps {
  snippets: readonly Snippet[];
  /** Of the row of tabs. */
  label: string;
  copyLabel: string;
}

/** Snippets to copy, one tab for each. */
export function ProgramTabs({ snippets, label, copyLabel }: ProgramTabsProps) {
  const [chosen, setChosen] = useState(snippets[0]?.value ?? "");
  const shown = snippets.find(({ value }) => value === chosen) ?? snippets[0];
  if (shown === undefined) return null;
  return (
    <Tabs value={shown.value} onValueChange={setChosen} className="shrink-0 rounded-md border">
      <TabList label={label} end={<CopyButton text={() => shown.text} label={copyLabel} />}>
        {snippets.map(({ value, title }) => (
          <Tab key={value} value={value}>
            {title}
          </Tab>
        ))}
      </TabList>
      <TabPanel value={shown.value}>
        {/* Can be scrolled by keyboard. */}
        <pre tabIndex={0} aria-label={shown.title} className="overflow-x-auto p-3 font-mono text-xs">
          {shown.text}
        </pre>
      </TabPanel>
    </Tabs>
  );
}

/** One address of a door, to be copied. */
export function DoorAddress({ label, address }: { label: string; address: string }) {
  return (
    <p className="flex min-w-0 items-center gap-2">
      <span className="w-32 shrink-0 text-muted">{label}</span>
      <code className="min-w-0 font-mono text-xs wrap-anywhere">{address}</code>
      <CopyButton text={() => address} label={`Copy the address: ${label}`} />
    </p>
  );
}
