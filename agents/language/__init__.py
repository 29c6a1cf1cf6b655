"""Language models that play."""

from agents.specs.parameters import Kind

KINDS = {
    "llm": Kind(
        "agents.language.player:LanguageModel",
        "a language model at an address that speaks OpenAI's chat completions; replies are judged, never replaced",
        "the model's and the server's own",
        chance=True,
        first="model",
    ),
}
