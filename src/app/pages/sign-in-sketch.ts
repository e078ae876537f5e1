import type { RunSpans, Sketch } from "../../ui/graph/sketch.ts";

/**
 * The workflow beside the sign-in form: the newcomers' template in two columns, so that a phone shows it as well. It is
 * written out, since the page is to paint before the registry of nodes is there; a test compares the two.
 */
export const signInSketch: Sketch = {
  nodes: [
    { id: "chat", role: "main", icon: "message-circle", title: "Chat message", x: 0, y: 0 },
    { id: "agent", role: "agent", icon: "bot", title: "Agent", x: 320, y: 0 },
    { id: "memory", role: "memory", icon: "history", title: "Window memory", x: 0, y: 104 },
    { id: "model", role: "model", icon: "sparkles", title: "Demo model", x: 320, y: 156 },
    { id: "calculator", role: "tool", icon: "calculator", title: "Calculator", x: 0, y: 208 },
  ],
  edges: [
    { from: "chat", to: "agent", kind: "main" },
    { from: "memory", to: "agent", kind: "memory" },
    { from: "model", to: "agent", kind: "model" },
    { from: "calculator", to: "agent", kind: "tool" },
  ],
};

/** The run that is played: the model asks for the calculator, and answers with what that gave. */
export const signInRun: RunSpans = {
  chat: [[1, 3]],
  agent: [[2, 8]],
  memory: [[3, 4]],
  model: [
    [4, 5],
    [6, 8],
  ],
  calculator: [[5, 6]],
};
