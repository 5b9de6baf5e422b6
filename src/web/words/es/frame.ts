import type { FrameWords } from "../en/frame.ts";

export const frameWords: FrameWords = {
  skip: "Ir al contenido",
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
  crumbs: "Dónde está esta página",
  copy: "Copiar",
  copied: "Copiado",
  showPassword: "Mostrar contraseña",
  hidePassword: "Ocultar contraseña",
};
