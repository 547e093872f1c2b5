package texts

var firstNames = words{
	"Anna", "Bruno", "Carla", "David", "Elena", "Farid", "Greta", "Hiro", "Ines", "Jonas", "Katya", "Liam",
	"Mona", "Nadia", "Oscar", "Priya", "Quinn", "Rosa", "Stefan", "Tara", "Umar", "Vera", "Wanda", "Xavier",
	"Yara", "Zoltan", "Amelie", "Boris", "Chiara", "Dmitri", "Esther", "Felix", "Gloria", "Henrik", "Irma",
	"Jamal", "Kirsten", "Lorenzo", "Miriam", "Nikolai",
}

var lastNames = words{
	"Abbott", "Becker", "Castro", "Dubois", "Eriksen", "Fischer", "Garcia", "Haddad", "Ivanov", "Jensen",
	"Kovacs", "Lindholm", "Moreau", "Novak", "Okafor", "Petrov", "Quintero", "Rossi", "Sato", "Tanaka",
	"Ueda", "Vargas", "Weber", "Xu", "Yilmaz", "Zhang", "Almeida", "Brandt", "Cohen", "Dlamini", "Estrada",
	"Fontaine", "Gruber", "Hoffman", "Ibarra", "Jovanovic", "Keller", "Laurent", "Mbeki", "Nyberg",
}

var firms = words{
	"Aldergate", "Bluefin Labs", "Cobalt Works", "Driftwood", "Eastbay Foods", "Fernhill", "Granite Mutual",
	"Harbour Lane", "Ironbridge", "Juniper Health", "Kestrel Air", "Lumen Press", "Maplewood", "Northwind",
	"Orchard Bank", "Pinecrest", "Quarry Street", "Redwood Freight", "Silverline", "Tidewater", "Umbra Studio",
	"Vantage Rail", "Westmark", "Yellowtail", "Zephyr Motors",
}

var places = words{
	"Lisbon", "Bergen", "Krakow", "Valencia", "Trieste", "Antwerp", "Malmo", "Porto", "Gdansk", "Lyon",
	"Bilbao", "Turin", "Leipzig", "Tallinn", "Ghent", "Seville", "Aarhus", "Graz", "Split", "Cork", "Nantes",
	"Utrecht", "Riga", "Basel", "Ljubljana",
}

var deeds = words{
	"approved", "rejected", "reviewed", "postponed", "redesigned", "measured", "signed", "questioned",
	"delivered", "replaced", "documented", "audited", "cancelled", "announced", "tested", "negotiated",
	"repaired", "presented", "simplified", "translated",
}

var qualities = words{
	"quarterly", "revised", "internal", "encrypted", "bilingual", "temporary", "automated", "seasonal",
	"regional", "experimental", "annual", "confidential", "joint", "preliminary", "overdue", "modular",
	"solar", "portable", "historic", "shared",
}

var things = words{
	"budget", "roadmap", "invoice", "warehouse", "contract", "dataset", "brochure", "prototype", "payroll",
	"inventory", "turbine", "catalogue", "pipeline", "insurance claim", "training plan", "heat pump",
	"delivery route", "survey", "loading dock", "backup site", "sensor network", "recipe book", "timetable",
	"billing system", "floor plan",
}

var reasons = words{
	"because the supplier cost more", "after the pilot beat its targets",
	"since two auditors found gaps", "as the old lease runs out",
	"as customers kept asking for it", "after a flood damaged the cellar",
	"since the licence expires soon", "as the board wants fewer vendors",
	"because the error rate had doubled", "after the union agreed to new shifts",
	"since the new law takes effect", "as the team moves to another floor",
	"as the forecast looked hopeful", "after three months of testing",
	"since nobody owned the process", "as demand in winter is low",
}

var units = words{
	"licences", "pallets", "euros per seat", "working hours", "test runs", "square metres", "containers",
	"support tickets", "kilowatt hours", "printed copies", "delivery vans", "sensor readings",
}

var wishes = words{
	"prefers short meetings before noon", "wants weekly summaries by mail", "asked for a second quote",
	"would rather rent than buy", "insists on metric units", "reads reports only as plain text",
	"likes to be called in the afternoon", "asked never to ship on Fridays", "expects an answer within a day",
	"wants two people on every visit", "keeps the signed copy at home", "pays by bank transfer only",
}

var months = words{
	"January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
	"November", "December",
}
