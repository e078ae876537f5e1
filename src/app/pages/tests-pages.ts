export { TestsPage } from "./tests-page.tsx";
export { SuitePage } from "./suite-page.tsx";
