using Strata.Server.Commands.Model;
using Strata.Server.Resp;
using Strata.Storage.Log;

namespace Strata.Server.Commands.Shared;

/// <summary>Answers for some of a command's arguments, one after the other.</summary>
/// <param name="context">The command.</param>
/// <param name="record">The record of its key; a null one where that is missing.</param>
/// <param name="reply">Where the answers go.</param>
/// <param name="first">The first of the arguments.</param>
/// <param name="end">The one behind the last.</param>
internal delegate void AnswerArguments(
    CommandContext context, in Record record, ReplyWriter reply, int first, int end);
