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
