// `npm run dev`: the same stack as `npm start`, with the site straight from its sources and hot reload.
import { launch } from "./launch.mjs";

await launch("development");
