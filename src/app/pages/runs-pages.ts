export { RunsPage } from "./runs-page.tsx";
export { ComparePage } from "./compare-page.tsx";
export { ActivityPage } from "./activity-page.tsx";
