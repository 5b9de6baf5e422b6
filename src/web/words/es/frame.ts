import { html } from "../../html/html.ts";
import type { FrameWords } from "../en/frame.ts";
import { plural } from "./plural.ts";

export const frameWords: FrameWords = {
  skip: "Ir al contenido",
  rightAddress: (address) =>
    html`Tu navegador no envió ninguna cookie de este servidor. Sus páginas solo funcionan en ${address} y con las cookies permitidas.`,
  tagline: "Con la tecnología de Postern",
  runsOn: (server) => `${server} funciona con Postern`,
  language: "Idioma",
  documents: "Documentación",
  faces: "Cuenta y consola",
  account: "Cuenta",
  console: "Consola",
  signedIn: "Sesión de",
  menu: "Menú",
  signOut: "Cerrar sesión",
  crumbs: "Ruta de navegación",
  copy: "Copiar",
  copied: "Copiado",
  showPassword: "Mostrar contraseña",
  hidePassword: "Ocultar contraseña",
  nameError: plural({
    one: (figure) => `Escribe un nombre de ${figure} carácter.`,
    other: (figure) => `Escribe un nombre de 1 a ${figure} caracteres.`,
  }),
};
