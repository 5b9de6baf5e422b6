import type { SetupWords } from "../en/setup.ts";

export const setupWords: SetupWords = {
  title: "Configuração",
  heading: "Configurar o Postern",
  lead: "Crie a conta do primeiro administrador. Isso só pode ser feito uma vez.",
  name: "Nome",
  email: "Endereço de e-mail",
  password: "Senha",
  submit: "Criar administrador",
  doneTitle: "Pronto",
  done: "O Postern está pronto",
  doneLead: "O primeiro administrador foi criado. Este link não é mais válido.",
  signIn: "Fazer login",
  waiting: {
    heading: "O Postern ainda não foi configurado",
    lead: "Ainda não há nenhuma conta aqui.",
    where: "Ao iniciar, o servidor exibiu um link de configuração no terminal ou no log.",
    again: (time) => `O link funciona uma única vez, por ${time}. Para obter outro, reinicie o servidor.`,
  },
  errors: {
    email: "Isto não é um endereço de e-mail.",
    email_taken: "Este endereço de e-mail já está em uso.",
    password_short: "Esta senha é curta demais.",
    password_long: "Esta senha é longa demais.",
    password_common: "Esta senha é comum demais e fácil de adivinhar.",
  },
};
