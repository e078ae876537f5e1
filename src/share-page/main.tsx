import "./share-page.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { SharePage } from "./share-page.tsx";

const container = document.getElementById("root");
if (container === null) throw new Error("The page has no #root element.");

createRoot(container).render(
  <StrictMode>
    <SharePage />
  </StrictMode>,
);
