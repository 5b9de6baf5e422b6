import type { AppApisWords } from "../en/app_apis.ts";
import { plural } from "./plural.ts";

export const appApisWords: AppApisWords = {
  title: "Las API",
  asks: "Puede pedir tokens para",
  why: {
    listed: "en la lista de esta aplicación",
    registered: "abierta a aplicaciones registradas",
    any: "abierta a cualquier cliente",
    off: "en la lista de esta aplicación, pero desactivada: no recibe tokens",
  },
  more: plural({ one: (figure) => `y ${figure} más`, other: (figure) => `y ${figure} más` }),
  is: "Es estas, y hace introspección de sus tokens",
};
