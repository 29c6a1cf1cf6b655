"""Every field of every kind of row, as CSV, JSON and DataFrames have it: its name, its type and its unit."""

import pytest

from arena.table import rows

from .kinds import KINDS, homes

FIELDS = {
    "HeuristicAtLevel": "at str; heuristic str; pool int",
    "HeuristicStrength": "… HeuristicAtLevel; … Strength; distinct int [games]; kept float? [share]",
    "Opponents": "at str; heuristic str; against str",
    "HeuristicDuel": "… Opponents; … Meeting; verdict str; plays_alike bool",
    "AtDepth": """
        reference str; search str; depth int [plies]; positions int [positions]; values int [positions]; moves int
        [positions]; reference_nodes int [nodes]; nodes int [nodes]; share float? [share]""",
    "Cost": """
        agent str; position str; depth int? [plies]; nodes float? [nodes]; seconds float? [seconds]; seconds_low float?
        [seconds]; seconds_high float? [seconds]; nodes_per_second float? [nodes/second]; minimax_share float? [share];
        branching float?; growth float? [ratio]; growth_low float? [ratio]; growth_high float? [ratio]; move int?
        [column]; score int? [points of the heuristic]; call_seconds float? [seconds]""",
    "CountedCost": """
        … Cost; inner float? [nodes]; cuts float? [nodes]; first_move_cuts float? [nodes]; cut_share float? [share];
        first_move_cut_rate float? [share]""",
    "Grade": """
        agent str; depth int? [plies]; positions int [positions]; good float? [share]; good_low float? [share];
        good_high float? [share]; perfect float? [share]; perfect_low float? [share]; perfect_high float? [share];
        clear_cut int [positions]; clear_good float? [share]; clear_good_low float? [share]; clear_good_high float?
        [share]; clear_perfect float? [share]; clear_perfect_low float? [share]; clear_perfect_high float? [share];
        better int? [positions]; worse int? [positions]; gain float? [share]; gain_low float? [share]; gain_high float?
        [share]; nodes float? [nodes]; seconds float [seconds]; seconds_low float? [seconds]; seconds_high float?
        [seconds]; plays_like float? [plies]; plays_like_low float? [plies]; plays_like_high float? [plies]; unanswered
        int? [positions]""",
    "Kept": """
        moves int [moves]; kept float? [share]; low float? [share]; high float? [share]; chance float? [share];
        clear_cut int [moves]; clear_kept float? [share]; clear_low float? [share]; clear_high float? [share];
        clear_chance float? [share]; basis str""",
    "Audited": "agent str; games int [games]",
    "AgentAudit": """
        … Audited; … Kept; wins_thrown int [moves]; draws_thrown int [moves]; points_thrown float [points];
        blunder_games int [games]; first_blunder_mean float? [plies]; first_blunder_median float? [plies]; won_games int
        [games]; won_games_lost int [games]""",
    "Range": "agent str; first int [plies]; last int [plies]",
    "RangeAudit": "… Range; … Kept",
    "Coverage": """
        games int [games]; moves int [moves]; clear_cut int [moves]; games_played int [games]; drawn int [moves]""",
    "ScoredPosition": "position str; score int [discs]; columns tuple[int?, ...] [discs]",
    "Mark": "part str; points float? [marks]; most float [marks]; why str",
    "Ranked": """
        agent str; author str; ok bool; faults int [faults]; rank int?; points float? [points]; games int [games]""",
    "HandIn": """
        … Ranked; marks float [marks]; most float [marks]; parts tuple[float?, ...] [marks]; twin str; imports
        tuple[str, ...]""",
    "Change": """
        agent str; games int [games]; openings int [openings]; score_old float [share]; score_new float [share]; score
        float [share]; score_low float? [share]; score_high float? [share]; same_games int? [games]; positions int
        [positions]; same_nodes float? [share]; same_moves float? [share]; nodes_old float? [nodes]; nodes_new float?
        [nodes]; nodes float? [ratio]; ms_old float? [milliseconds]; ms_new float? [milliseconds]; ms float? [ratio]""",
    "Blundered": "game int; ply int [plies]; lost str; why str; opponent str",
    "Explanation": """
        ply int [plies]; column int [column]; before int; after int; keepers str; kind str; moves str; wins str;
        positions int [positions]; plies int? [plies]; depth int? [plies]""",
    "Model": """
        agent str; moves int [moves]; retries int [replies]; legal_replies float [share]; faults int [games];
        drawn_moves int [moves]; errors int [requests]; tokens_in int? [tokens]; tokens_out int? [tokens];
        tokens_reasoning int? [tokens]; tokens_per_game float? [tokens]""",
    "Verdict": """
        claim int; text str; check str; value float?; low float?; high float?; verdict str; p float?; basis str;
        published str; source str""",
    "Difference": "part str; place str; field str; stored str; again str",
    "Held": """
        set str; questions int; start float; tuned float; gain float; gain_low float?; gain_high float?""",
    "Value": """
        position str; heuristic str; mover int? [points of the heuristic]; first int? [points of the heuristic]""",
    "Tried": """
        position str; ordering str; columns tuple[int, ...] [columns]; scores tuple[int, ...]?
        [points of the ordering]""",
    "Divided": "column int [column]; sequences int [sequences]; nodes int [nodes]",
    "Rating": """
        agent str; elo float [Elo]; low float? [Elo]; high float? [Elo]; games int [games]; score float [share]; marked
        bool; plays_as str?; gap float? [Elo]; gap_low float? [Elo]; gap_high float? [Elo]; gap_los float? [percent];
        games_to_tell int? [games]; may_be_best bool""",
    "Effort": """
        agent str; depth int [plies]; searches int [searches]; nodes float? [nodes]; nodes_median float? [nodes]; ms
        float [milliseconds]; ms_low float? [milliseconds]; ms_high float? [milliseconds]; nodes_per_second float?
        [nodes/second]; branching float?; growth float? [ratio]; growth_low float? [ratio]; growth_high float? [ratio]
        """,
    "Phase": """
        agent str; depth int [plies]; phase str; searches int [searches]; nodes float? [nodes]; ms float [milliseconds];
        ms_low float? [milliseconds]; ms_high float? [milliseconds]""",
    "LostGames": "agent str; termination str; detail str; games int [games]",
    "Meeting": """
        counts tuple[int, int, int, int, int] [pairs]; pairs int [pairs]; games int [games]; distinct int [games]; score
        float? [share]; elo float? [Elo]; low float? [Elo]; high float? [Elo]; elo_error float? [Elo]; nelo float?
        [normalized Elo]; nelo_error float? [normalized Elo]; los float? [percent]; los_score float? [percent]; level
        bool?; more int? [pairs]; survives bool?; basis str?; nodes_ratio float? [ratio]; time_ratio float? [ratio];
        time_ratio_low float? [ratio]; time_ratio_high float? [ratio]""",
    "Sides": "agent str; against str",
    "Duel": "… Sides; … Meeting",
    "Look": "pairs int [pairs]; llr float; lower float; upper float; decision str",
    "Met": """
        round int; one str; two str; pairs int [pairs]; points_one float [points]; points_two float [points]""",
    "Opening": """
        opening str; worth int?; games int [games]; first_wins int [games]; draws int [games]; second_wins int [games];
        score float? [share]""",
    "Strength": """
        elo float? [Elo]; low float? [Elo]; high float? [Elo]; marked bool; basis str?; plays_as str?; gap float? [Elo];
        gap_low float? [Elo]; gap_high float? [Elo]; gap_los float? [percent]; games_to_tell int? [games]; may_be_best
        bool; points float [points]; score float? [share]; games int [games]; wins int [games]; draws int [games];
        losses int [games]; first_wins int [games]; first_draws int [games]; first_losses int [games]; second_wins int
        [games]; second_draws int [games]; second_losses int [games]; nodes_per_move float? [nodes]; ms_per_move float?
        [milliseconds]; ms_low float? [milliseconds]; ms_high float? [milliseconds]; faults int [games]""",
    "Place": "pool int; agent str",
    "Standing": "… Place; … Strength",
    "Crossing": """
        agent str; opponent str; games int [games]; points float [points]; wins int [games]; draws int [games]; losses
        int [games]""",
    "StoredAgent": """
        name str; spec str; kind str; deterministic int; stranger int; author str?; digest str?""",
    "StoredOpening": "opening int; moves str; value int?",
    "StoredGame": """
        game int; key str; first str; second str; opening int; moves str; result str; points float [points]; termination
        str; detail str; started str [time]; seconds float [seconds]""",
    "StoredMove": """
        game int; ply int [plies]; agent str; column int [column]; depth int [plies]; nodes int [nodes]; seconds float
        [seconds]; score int? [points of the heuristic]""",
    "StoredSearch": """
        game int; ply int [plies]; agent str; depth int [plies]; nodes int [nodes]; seconds float [seconds]; score int?
        [points of the heuristic]; column int [column]""",
    "StoredReply": """
        game int; ply int [plies]; agent str; status str; tries int [replies]; reply str; tokens_in int? [tokens];
        tokens_out int? [tokens]; tokens_reasoning int? [tokens]; seconds float [seconds]; finish str?; model str?;
        prompt str; drawn bool; errors int [requests]""",
    "Swept": """
        agent str; depth int? [plies]; elo float [Elo]; low float? [Elo]; high float? [Elo]; marked bool; nodes_per_move
        float? [nodes]; parameter str; value float [of the parameter]; step float? [Elo]; step_low float? [Elo];
        step_high float? [Elo]""",
}
"""The fields of each kind of row for programs: name, type, unit."""


def fields_of(kind):
    """Yield the fields of a kind for programs, each with its type and its unit, likewise."""
    places, before = homes(kind), ""
    for name, home in places.items():
        parts = [*rows._parts(kind.__dataclass_fields__[name])] or [name]
        described = {field.name: field for field in rows.described(kind)}
        if home == kind.__name__:
            for part in parts:
                field = described[part]
                yield f"{part} {field.type.replace(' | None', '?')}{f' [{field.unit}]' * bool(field.unit)}"
        elif home != before:
            yield f"… {home}"
        before = home


@pytest.mark.parametrize("name", KINDS)
def test_a_field_for_programs_has_its_name_its_type_and_its_unit(name):
    assert "; ".join(fields_of(KINDS[name])) == " ".join(FIELDS[name].split())


def test_all_kinds_of_rows_are_here():
    assert [*KINDS] == [*FIELDS]
