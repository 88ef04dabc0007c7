// The entry of every page: each part finds what it enhances, or does nothing.
import "./switch.js";
import "./code.js";
import "./search/open.js";
import { fillOnClick } from "./reports.js";

fillOnClick(document);
