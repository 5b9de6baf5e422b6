import { html } from "../../html/html.ts";
import type { FrameWords } from "../en/frame.ts";
import { plural } from "./plural.ts";

export const frameWords: FrameWords = {
  skip: "Ir para o conteúdo",
  rightAddress: (address) =>
    html`Seu navegador não enviou nenhum cookie deste servidor. As páginas só funcionam em ${address}, com cookies permitidos.`,
  tagline: "Com a tecnologia do Postern",
  runsOn: (server) => `${server} usa o Postern`,
  language: "Idioma",
  documents: "Documentação",
  faces: "Conta e console",
  account: "Conta",
  console: "Console",
  signedIn: "Sessão de",
  menu: "Menu",
  signOut: "Sair",
  crumbs: "Trilha de navegação",
  copy: "Copiar",
  copied: "Copiado",
  showPassword: "Mostrar senha",
  hidePassword: "Ocultar senha",
  nameError: plural({
    one: (figure) => `Informe um nome de ${figure} caractere.`,
    other: (figure) => `Informe um nome de 1 a ${figure} caracteres.`,
  }),
};
