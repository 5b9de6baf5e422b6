/** The languages that the pages speak: a folder and a line here for each, by its first BCP 47 subtag. */
export { catalogue as en } from "./en/catalogue.ts";
export { catalogue as es } from "./es/catalogue.ts";
export { catalogue as zh } from "./zh/catalogue.ts";
