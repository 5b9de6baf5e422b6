/**
 * The languages of the pages. A new one needs a folder and a line here, both named after its primary subtag
 * (BCP 47).
 */
export { about as de } from "./de/about.ts";
export { about as en } from "./en/about.ts";
export { about as es } from "./es/about.ts";
export { about as fr } from "./fr/about.ts";
export { about as ja } from "./ja/about.ts";
export { about as pt } from "./pt/about.ts";
export { about as zh } from "./zh/about.ts";
