import type { NewAppWords } from "../en/new_app.ts";

export const newAppWords: NewAppWords = {
  help: {
    website: "Tu servidor genera las páginas: Express, Next.js, Django, Spring, PHP. Guarda un secreto.",
    browser:
      "Una aplicación de una sola página sin servidor propio: no tiene secreto. PKCE protege el inicio de sesión, pero un script inyectado podría copiar los tokens. Más seguro: un sitio web cuyo servidor guarda los tokens de sus páginas (BFF).",
    native: "Para iOS, Android, Windows, macOS o Linux. No tiene secreto; la protege PKCE.",
    command_line:
      "Un programa en una terminal. Las personas inician sesión en su navegador y vuelven a 127.0.0.1.",
    api: "Un servidor al que otras aplicaciones llaman con tokens. También puede obtener tokens propios.",
    machine: "Una tarea, un proceso o un script. Obtiene tokens para sí mismo; nadie inicia sesión.",
  },
  bindTokens: "Si los tokens se quedan en el navegador, vincúlalos con DPoP.",
  choose: "Elegir otro tipo",
  more: "Más ajustes",
};
