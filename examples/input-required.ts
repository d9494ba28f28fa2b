import { defineAgent, serve } from "a2a-typed/server";
import { textOf } from "a2a-typed/v1";

// #region agent
const booking = defineAgent<{ city?: string }>({
  card: { name: "Booking", description: "Books a table.", skills: [] },
  async handle(ctx, message) {
    const answer = textOf(message).trim();
    if (ctx.turn === 1) return ctx.inputRequired("Which city?");
    if (ctx.state.city === undefined) {
      ctx.state.city = answer;
      return ctx.inputRequired("For how many?");
    }
    if (!/^\d+$/.test(answer)) return ctx.inputRequired("A number, please: for how many?");
    return `A table for ${answer} in ${ctx.state.city}.`;
  },
});
// #endregion agent

const server = await serve(booking, { port: Number(process.env["PORT"] ?? 8080) });
console.log(`${server.card.name} listens on ${server.url}`);
