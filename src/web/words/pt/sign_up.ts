import type { SignUpWords } from "../en/sign_up.ts";
import { plural } from "./plural.ts";

export const signUpWords: SignUpWords = {
  link: "Criar uma conta",
  title: "Criar uma conta",
  lead: "Informe seu e-mail, e enviaremos uma mensagem para você continuar.",
  domains: (domains) => `Endereços destes domínios podem se cadastrar: ${domains}.`,
  invited: "Pessoas convidadas podem se cadastrar.",
  submit: "Enviar o e-mail",
  askedTitle: "Verifique seu e-mail",
  askedLead: plural({
    one: (figure) =>
      `Se este endereço puder se cadastrar, uma mensagem está a caminho. Abra o link dela em até ${figure} minuto ou digite o código aqui.`,
    other: (figure) =>
      `Se este endereço puder se cadastrar, uma mensagem está a caminho. Abra o link dela em até ${figure} minutos ou digite o código aqui.`,
  }),
  askedHint: "Nada depois de alguns minutos? Verifique sua pasta de spam e se o endereço está correto.",
  code: "Código do e-mail",
  useCode: "Continuar",
  wrongCode: "Este não é o código do e-mail.",
  endedCode: "Este código não é mais válido. Abra o link do e-mail ou solicite um novo e-mail.",
  askAgain: "Solicitar um novo e-mail",
  finishTitle: "Crie sua conta",
  finishLead: "Escolha um nome e uma senha, e sua conta estará pronta.",
  make: "Criar a conta",
  existsTitle: "Você já tem uma conta",
  existsLead: "Já existe uma conta com este endereço. Faça login com ela.",
  deadTitle: "Este link expirou ou já foi usado",
  deadLead: "Solicite um novo e-mail para criar sua conta.",
  readyTitle: "Sua conta está pronta",
  readyLead:
    "Você está conectado aqui. Se começou em outro navegador ou em um aplicativo, volte para lá e faça login.",
  toAccount: "Ir para sua conta",
  mailSubject: (server) => `Crie sua conta em ${server}`,
  mailAsked: (server) =>
    `Alguém quer criar uma conta com este endereço em ${server}. Este link permite continuar:`,
  mailButton: "Criar a conta",
  mailCode: (code) =>
    `No navegador em que você começou, é possível digitar este código em vez disso: ${code}`,
  mailOnce: plural({
    one: (figure) => `O link e o código são válidos por ${figure} minuto.`,
    other: (figure) => `O link e o código são válidos por ${figure} minutos.`,
  }),
  mailIgnore:
    "Se não foi você, não precisa fazer nada. Não passe o código a ninguém: nenhuma conta será criada.",
  mailExists: (server) =>
    `Alguém quer criar uma conta com este endereço em ${server}. Você já tem uma. Faça login aqui:`,
  mailForgot: "Se você não sabe mais a senha, escolha uma nova aqui:",
  mailInactive: (server) =>
    `Alguém quer criar uma conta com este endereço em ${server}. Você já tem uma, e ela está desativada. Um administrador do servidor pode reativá-la.`,
};
