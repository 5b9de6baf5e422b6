import type { ErrorWords } from "../en/error.ts";

export const errorWords: ErrorWords = {
  error: "Erro",
  detail: "Detalhe",
  request: "Solicitação",
  reference: "Referência",
  start: "Ir para a página inicial",
  kinds: {
    refused: {
      title: "Há algo errado com esta solicitação",
      message: "O servidor a recusou. Veja os detalhes abaixo.",
      hint: "Se um aplicativo enviou você para cá, os desenvolvedores dele precisarão das informações abaixo.",
    },
    missing: {
      title: "Página não encontrada",
      message: "Não há nada neste endereço.",
      hint: "Talvez ele tenha sido digitado ou copiado incorretamente.",
    },
    busy: {
      title: "Um momento, por favor",
      message: "O servidor está ocupado. Tente novamente em instantes.",
      hint: "Nada foi perdido: recarregue esta página.",
    },
    broken: {
      title: "Algo deu errado aqui",
      message: "O servidor encontrou uma condição inesperada.",
      hint: "A culpa não é sua. Um administrador deste servidor pode descobrir mais pelo número da solicitação.",
    },
    foreign_form: {
      title: "Não é possível aceitar este formulário",
      message: "O formulário está desatualizado ou foi enviado de outro site.",
      hint: "Volte e tente novamente.",
    },
    sign_in_ended: {
      title: "Você não está mais conectado",
      message: "O login terminou.",
      hint: "Comece novamente no aplicativo.",
    },
    client_document_unavailable: {
      title: "Não é possível acessar o aplicativo",
      message: "Este aplicativo se descreve em um endereço próprio, que não responde agora.",
      hint: "Tente novamente em instantes. Se continuar assim, avise os responsáveis pelo aplicativo.",
    },
    unknown_client: {
      title: "Este aplicativo não está registrado aqui",
      message: "Ele nunca foi registrado aqui, ou seu registro foi removido por falta de uso.",
      hint: "Se o aplicativo se conectou sozinho, remova a conexão nele e conecte novamente.",
    },
    dead_setup_link: {
      title: "Este link expirou ou já foi usado",
      message: "Este link de configuração não pode ser usado novamente.",
      hint: "Reinicie o servidor para obter outro.",
    },
  },
};
