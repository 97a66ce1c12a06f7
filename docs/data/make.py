"""Writes the data of the guide and the tutorials: python3 docs/data/make.py, in the repository's root.

All texts are composed from the lists below. Nothing is taken from anywhere, and what is true about
them is known: which subject a sentence is about, and how subjects depend on party and year.
"""

import csv
import gzip
import io
import pathlib
import random
import tarfile

HERE = pathlib.Path(__file__).parent

SUBJECTS = {
    "energy": (
        "wind solar power grid turbine coal emissions climate carbon electricity reactor battery pipeline warming fuel plant",
        "generate store import burn insulate subsidise",
        "renewable fossil clean nuclear offshore",
    ),
    "health": (
        "hospital nurse patient doctor ward surgery vaccine clinic waiting-list medicine ambulance midwife treatment disease carer",
        "treat heal vaccinate admit prescribe",
        "chronic elderly medical mental sick",
    ),
    "school": (
        "school teacher pupil classroom exam university curriculum student lesson kindergarten textbook scholarship degree reading",
        "teach learn study graduate",
        "educational vocational gifted primary bilingual",
    ),
    "tax": (
        "tax budget deficit debt pension income revenue treasury spending inflation wage loan bank saver interest",
        "borrow tax lend save repay",
        "fiscal public wealthy progressive balanced",
    ),
    "farm": (
        "farm farmer harvest wheat cattle milk soil fertiliser tractor orchard drought meadow dairy village seed",
        "plough harvest plant graze irrigate",
        "rural organic fertile agricultural dry",
    ),
    "defence": (
        "army soldier navy border alliance treaty missile officer veteran peacekeeper frigate barracks weapon general",
        "defend deploy patrol recruit train",
        "military armed foreign allied strategic",
    ),
    "housing": (
        "house rent tenant landlord flat mortgage builder suburb roof neighbourhood lease shelter planning brick",
        "build rent renovate evict insulate",
        "affordable empty vacant homeless urban",
    ),
    "digital": (
        "internet data network software broadband computer privacy platform algorithm password phone start-up chip server",
        "download encrypt connect digitise hack",
        "digital online wireless artificial secure",
    ),
}
SENTENCES = [
    "Every {n} and every {n} in this country needs a {a} {n}.",
    "We must {v} more, and we must protect the {a} {n}.",
    "The minister has promised a {n}, yet we see neither {n} nor {n}.",
    "My constituents ask me about the {n} and about the {a} {n}.",
    "Who will {v} the {n} when the {n} is gone?",
    "A {a} {n} without a {n} is worth nothing.",
    "This bill gives the {n} to those who {v} and forgets the {a} {n}.",
    "Last year we lost one {n} in ten, and the {n} suffered.",
    "I welcome the {a} {n}, but the {n} cannot wait for it.",
]
SPEAKERS = {
    "Harbour": ["Lind", "Okafor", "Petrov", "Castell"],
    "Meadow": ["Brandt", "Yilmaz", "Duval", "Norden"],
    "Union": ["Keller", "Moreau", "Stone", "Ibarra"],
}
LEANING = {
    "Harbour": {"tax": 2.2, "defence": 1.8, "digital": 1.2},
    "Meadow": {"energy": 2.6, "farm": 1.6, "health": 1.1},
    "Union": {"health": 1.8, "school": 1.8, "housing": 2.0},
}


def sentence(rng, subject):
    nouns, verbs, adjectives = (part.split() for part in SUBJECTS[subject])
    text = rng.choice(SENTENCES)
    for mark, words in (("{n}", nouns), ("{v}", verbs), ("{a}", adjectives)):
        while mark in text:
            text = text.replace(mark, rng.choice(words), 1)
    return text


def weights(party, year):
    """How often a speaker of a party chose each subject in a year: the truth of the speeches."""
    grown = (year - 2001) / 19
    w = {s: LEANING[party].get(s, 1.0) for s in SUBJECTS}
    w["energy"] *= 0.4 + 2.2 * grown
    w["digital"] *= 0.2 + 1.8 * grown
    w["farm"] *= 2.2 - 1.7 * grown
    return w


def add(archive, name, data):
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o644
    archive.addfile(info, io.BytesIO(data))


def write_tar(name, files):
    with (
        open(HERE / name, "wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for path, text in files:
            add(archive, path, text.encode())


def speeches(rng):
    for year in range(2001, 2021):
        for i in range(30):
            party = list(SPEAKERS)[i % 3]
            w = weights(party, year)
            chosen = rng.choices(list(w), list(w.values()), k=2)
            lines = [
                sentence(rng, chosen[0] if rng.random() < 0.7 else chosen[1])
                for _ in range(rng.randint(9, 14))
            ]
            date = f"{year}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
            speaker = rng.choice(SPEAKERS[party])
            yield (
                f"speeches/{date}_{party}_{speaker}_{i}.txt",
                "Madam President, honourable members.\n" + " ".join(lines) + "\n",
            )


ANSWERS = {
    "price": (
        "price bill fee charge discount invoice tariff refund payment surcharge",
        "expensive cheap hidden unfair monthly",
    ),
    "delivery": (
        "parcel courier delivery box driver tracking package doorstep letterbox van",
        "late damaged wet missing quick",
    ),
    "service": (
        "hotline agent call email answer staff queue complaint voice callback",
        "friendly rude helpful slow patient",
    ),
    "app": (
        "app login screen update password button menu notification account phone",
        "broken frozen clear confusing new",
    ),
}
OPINIONS = [
    "The {n} was {a} and the {n} as well.",
    "I am not happy with the {n}, and the {a} {n} made it worse.",
    "A {a} {n}, nothing to say against the {n}.",
    "First the {n}, then the {n}: everything {a}.",
    "Please look at the {n} again, the {n} is {a}.",
    "My {n} is {a} and nobody cares about the {n}.",
]


def opinion(rng, subject):
    nouns, adjectives = (part.split() for part in ANSWERS[subject])
    text = rng.choice(OPINIONS)
    for mark, words in (("{n}", nouns), ("{a}", adjectives)):
        while mark in text:
            text = text.replace(mark, rng.choice(words), 1)
    return text


def survey(rng):
    rows = [["id", "group", "age", "answer"]]
    for i in range(400):
        group = "new app" if i % 2 else "old app"
        age = rng.choice(["18-34", "35-54", "55+"])
        w = [1, 1, 2.0 if age == "55+" else 0.8, 2.2 if group == "new app" else 0.6]
        chosen = rng.choices(list(ANSWERS), w, k=2)
        rows.append(
            [
                f"r{i + 1}",
                group,
                age,
                " ".join(opinion(rng, rng.choice(chosen)) for _ in range(rng.randint(2, 4))),
            ]
        )
    return rows


TWEETS = {
    "match": "goal striker keeper penalty referee derby stadium fans coach league offside header".split(),
    "storm": "storm flood rain wind river warning rescue trees roads closed sandbags thunder".split(),
    "vote": "vote poll ballot candidate debate party campaign seat turnout mayor election result".split(),
    "music": "album concert guitar singer band tour tickets song drummer stage encore festival".split(),
}


def tweets(rng):
    rows = [["id", "created_at", "user", "text"]]
    for i in range(1200):
        day, subject = 1 + i * 28 // 1200, rng.choice(list(TWEETS))
        if day in (12, 13, 14) and rng.random() < 0.6:
            subject = "storm"
        w = rng.sample(TWEETS[subject], 5)
        text = rng.choice(
            [
                "so the {} and the {} again, {} {} 😱 {}",
                "@{}fan what a {}! {} {} {}",
                "can't believe the {} {} {}… {} / {}",
                "RT: {} {}, {} and {} tonight {}",
            ]
        ).format(*w)
        text += rng.choice(
            ["", f" #{subject}", f" https://t.co/{i:x}q", f" #{subject} https://t.co/{i:x}z"]
        )
        rows.append(
            [
                1000 + i,
                f"2024-06-{day:02}T{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:00Z",
                f"user{rng.randint(1, 90)}",
                text,
            ]
        )
    return rows


def cells(rng):
    """Counts of 240 cells and 160 genes as 10x writes them: four programs of genes, and housekeeping."""
    genes = [f"{kind}{i:02}" for kind in ("Imm", "Neu", "Mus", "Cyc") for i in range(1, 31)] + [
        f"Hk{i:02}" for i in range(1, 41)
    ]
    entries = []
    for cell in range(240):
        program = cell % 3 if cell < 200 else 3
        w = [
            rng.gammavariate(0.6, 1)
            * (9 if g // 30 == program and g < 120 else 2.5 if g >= 120 else 0.25)
            for g in range(160)
        ]
        counts = {}
        for g in rng.choices(range(160), w, k=rng.randint(150, 400)):
            counts[g] = counts.get(g, 0) + 1
        entries += [(g + 1, cell + 1, n) for g, n in sorted(counts.items())]
    matrix = (
        "%%MatrixMarket matrix coordinate integer general\n"
        + f"160 240 {len(entries)}\n"
        + "".join("%d %d %d\n" % e for e in entries)
    )
    features = "".join(f"ENSG{i:05}\t{g}\tGene Expression\n" for i, g in enumerate(genes))
    barcodes = "".join("".join(rng.choice("ACGT") for _ in range(12)) + "-1\n" for _ in range(240))
    return [
        ("cells/matrix.mtx", matrix),
        ("cells/features.tsv", features),
        ("cells/barcodes.tsv", barcodes),
    ]


def write_csv(name, rows):
    with open(HERE / name, "w", newline="", encoding="utf-8") as f:
        csv.writer(f, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    write_tar("speeches.tar.gz", speeches(random.Random(1)))
    write_csv("survey.csv", survey(random.Random(2)))
    write_csv("tweets.csv", tweets(random.Random(3)))
    write_tar("cells.tar.gz", cells(random.Random(4)))
