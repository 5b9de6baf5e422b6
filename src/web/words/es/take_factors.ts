import type { TakeFactorsWords } from "../en/take_factors.ts";

export const takeFactorsWords: TakeFactorsWords = {
  one: {
    title: "Eliminar un segundo factor",
    lead: (name, factor) => `${name} ha perdido ${factor} y tiene otro segundo factor.`,
    removed:
      "Ya no sirve para iniciar sesión ni para confirmarla. Lo demás que tiene el usuario se conserva.",
    ended:
      "Se cierran las sesiones que lo usaron. En todos los navegadores se vuelve a pedir un segundo factor.",
    told: "Se avisa al usuario por correo.",
    submit: "Eliminarlo",
  },
  all: {
    title: "Restablecer los segundos factores",
    lead: (name) => `${name} ha perdido todos sus segundos factores.`,
    removed:
      "Se quitan todas las llaves de acceso, aplicaciones de autenticación, códigos de recuperación y navegadores recordados.",
    ended: "Se revocan todas las sesiones y los tokens del usuario.",
    told: "Se avisa al usuario por correo, y al volver a entrar demuestra con un código que el buzón es suyo.",
    reason: "Motivo",
    reasonHelp: "Para la auditoría. Explica cómo comprobaste que es el usuario quien lo pide.",
    cancel: "Cancelar",
    submit: "Restablecer los segundos factores",
  },
};
