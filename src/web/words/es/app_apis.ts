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
  is: "Sirve y puede hacer introspección de los tokens de",
  risk: {
    open_without_scopes:
      "Cualquier cliente puede pedir esta API, y no tiene ámbitos: sus tokens no dicen qué puede hacer un cliente.",
    open_default_writes: (scopes) =>
      `Cualquier cliente recibe ${scopes} sin pedirlo. Quita de los ámbitos por defecto lo que cambia algo.`,
    dpop_off:
      "Ningún cliente recibe un token para esta API: solo acepta tokens ligados a una clave, y DPoP está desactivado en este servidor (POSTERN_EXTRA_FEATURES=dpop).",
    public_introspection: (apps) =>
      `${apps} no puede hacer introspección de sus tokens: una aplicación pública no tiene secreto con que identificarse.`,
  },
};
